setUpLanguage();
setUpTheme();
setUpCopying();
setUpCharts();
const rowsBox = document.getElementById("rows");
if (rowsBox) setUpDetail(setUpSamples(rowsBox));
document.documentElement.dataset.ready = "yes";
