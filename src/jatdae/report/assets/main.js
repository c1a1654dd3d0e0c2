setUpLanguage();
setUpTheme();
setUpCopying();
setUpCharts();
if (data.rows) {
  setUpDetail(setUpSamples(document.getElementById("rows")));
}
document.documentElement.dataset.ready = "yes";
