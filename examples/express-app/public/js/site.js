// Feeds the gauges of the live page, and sends dates in the reader's own form. Everything works without it.
for (const time of document.querySelectorAll('time[datetime]')) {
  time.textContent = new Date(time.dateTime).toLocaleDateString(undefined, { dateStyle: 'medium' });
}

const gauges = document.querySelector('[data-stream]');
if (gauges) {
  const state = document.querySelector('[data-state]');
  const stream = new EventSource(gauges.dataset.stream);
  stream.addEventListener('open', () => (state.textContent = 'Connected'));
  stream.addEventListener('error', () => (state.textContent = 'Connection lost, trying again …'));
  stream.addEventListener('pulse', (event) => {
    for (const [name, value] of Object.entries(JSON.parse(event.data))) {
      const gauge = gauges.querySelector(`[data-gauge="${name}"]`);
      if (gauge) gauge.textContent = value.toLocaleString();
    }
  });
}
