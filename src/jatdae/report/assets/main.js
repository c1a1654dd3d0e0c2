setUpLanguage();
setUpTheme();
setUpCopying();
setUpCharts();
setUpViews();
const rowsBox = document.getElementById("rows");
if (rowsBox) setUpDetail(setUpSamples(rowsBox));
document.documentElement.dataset.ready = "yes";
