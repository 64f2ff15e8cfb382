/** Sends files and shows how far that is. XMLHttpRequest, because fetch tells no progress of what it sends. */
const form = document.querySelector('#upload');
const progress = document.querySelector('#progress');
const sent = document.querySelector('#sent');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    progress.max = total;
    progress.value = loaded;
  });
  request.addEventListener('load', () => (sent.textContent = told(request)));
  request.addEventListener('error', () => (sent.textContent = 'The connection broke.'));
  request.open('POST', '/uploads');
  sent.textContent = 'sending';
  request.send(new FormData(form));
});

function told({ status, responseText }) {
  const reply = JSON.parse(responseText);
  if (status !== 201) return `${status}: ${reply.detail ?? reply.title}`;
  return reply.files.map(({ name, bytes, sha256 }) => `${name}: ${bytes} bytes, ${sha256}`).join('\n');
}
