/** The chat: shows what comes, sends what is typed, and says how the connection ended. */
const state = document.querySelector('#state');
const said = document.querySelector('#said');
const form = document.querySelector('#say');
const GOING_AWAY = 1001;

const socket = new WebSocket(new URL('/chat', location.href.replace(/^http/, 'ws')));

socket.addEventListener('open', () => (state.textContent = 'connected'));
socket.addEventListener('close', ({ code }) => {
  state.textContent = code === GOING_AWAY ? 'The server is going away (1001).' : `The connection is closed (${code}).`;
  form.querySelector('button').disabled = true;
});
socket.addEventListener('message', ({ data }) => {
  const message = JSON.parse(data);
  if (message.kind === 'here') state.textContent = `connected, ${message.count} here`;
  else if (message.kind === 'said') show(`${message.from}: ${message.say}`);
  else if (message.kind === 'bird') show(`${message.by} has seen ${message.count} × ${message.species}`);
  else if (message.kind === 'refused') show(`not sent: ${message.why}`);
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const field = form.elements.namedItem('say');
  socket.send(JSON.stringify({ say: field.value }));
  field.value = '';
});

function show(text) {
  // Text, never markup: it is what somebody else wrote.
  said.append(Object.assign(document.createElement('li'), { textContent: text }));
  said.lastElementChild.scrollIntoView({ block: 'nearest' });
}
