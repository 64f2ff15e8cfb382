/**
 * The service of `bench/micro/polyglot.mjs`: POST /predict, by the way that `WAY` names. Everything but the way to Python is
 * the same.
 */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createApp } from 'fulmar';
import { python } from 'fulmar/polyglot';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const interpreter = process.env.FULMAR_PYTHON ?? 'python3';

const ways = {
  async inProcess() {
    const model = await python.import(here('model.py'));
    return (features) => model.predict(features);
  },
  childPerCall() {
    return (features) =>
      new Promise((resolve, reject) => {
        const child = execFile(interpreter, [here('child_call.py')], (error, output) =>
          error ? reject(error) : resolve(JSON.parse(output)),
        );
        child.stdin.end(JSON.stringify({ features }));
      });
  },
  childLines() {
    const child = spawn(interpreter, [here('child_lines.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting = new Map();
    let last = 0;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, value } = JSON.parse(line);
      waiting.get(id)(value);
      waiting.delete(id);
    });
    return (features) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        child.stdin.write(`${JSON.stringify({ id: last, features })}\n`);
      });
  },
};

const app = createApp();
const way = process.env.WAY ?? 'inProcess';
const predict = await ways[way]();
app.post('/predict', async (c) => predict((await c.body.json()).features));
if (way === 'inProcess') {
  const model = await python.import(here('model.py'));
  app.get('/plain', async () => {
    await undefined;
    return 'nothing';
  });
  app.get('/nothing', async () => {
    await model.nothing();
    return 'nothing';
  });
  // Keeps Python busy: a call of it runs, and some wait.
  app.post('/saturate', () => {
    const again = () => void model.busy(0.02).then(again);
    for (let call = 0; call < 4; call += 1) again();
    return 'it is';
  });
}
await app.listen(Number(process.env.PORT));
