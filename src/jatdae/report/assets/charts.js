// Charts come drawn; here only the metric of a slice is chosen.

function setUpCharts() {
  for (const choice of document.querySelectorAll(".metric-choice")) {
    choice.addEventListener("change", () => {
      for (const chart of choice.closest("section").querySelectorAll(".choice")) {
        chart.hidden = chart.dataset.metric !== choice.value;
      }
    });
  }
}
