/** `fulmar/vite` and `vite build`: client and server at once, and the server that comes of it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { createBuilder, createServer } from 'vite';
import { WebSocket } from 'ws';
import fulmar from 'fulmar/vite';
import { createProject, type Project } from './project.ts';
import { addressOf, configOf, files } from './vite-project.ts';

let project: Project;
before(async () => {
  project = createProject({ ...files, 'public/robots.txt': 'all\n' });
  const builder = await createBuilder(configOf(project.folder));
  await builder.buildApp();
});
after(() => project.remove());

/** Runs what was built as people do, until `use` is through. */
async function serve(command: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, command, {
    cwd: project.folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let isUsed = false;
  try {
    for await (const line of createInterface(child.stdout)) {
      const url = /^listening on (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      await use(url);
      isUsed = true;
      break;
    }
    assert.ok(isUsed, 'the server has not told its address');
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
}

describe('vite build', () => {
  it('builds client and server, each into a folder of its own', () => {
    assert.deepEqual(readdirSync(project.path('dist')).sort(), ['client', 'server']);
    assert.deepEqual(readdirSync(project.path('dist/client')).sort(), ['assets', 'index.html', 'robots.txt']);
    assert.deepEqual(readdirSync(project.path('dist/server')), ['index.mjs']);
    const server = readFileSync(project.path('dist/server/index.mjs'), 'utf8');
    assert.match(server, /from "fulmar"/);
    assert.match(server, /typeof v\.name === "string"/);
  });

  for (const [name, command] of [
    ['node', ['dist/server/index.mjs']],
    ['fulmar run', ['node_modules/fulmar/bin/fulmar.cjs', 'run', 'dist/server/index.mjs']],
  ] as const) {
    it(`makes a server that ${name} starts, with the files of the client`, async () => {
      await serve(command, async (url) => {
        assert.equal(await (await fetch(`${url}/api/birds`)).text(), '["fulmar","petrel"]');
        assert.match(await (await fetch(`${url}/api/rpc/first?params=[1]`)).text(), /"name":"fulmar"/);
        assert.equal((await fetch(`${url}/api/rpc/first?params=["a"]`)).status, 422);
        assert.equal((await fetch(`${url}/api/nothing`)).status, 404);
        const page = await (await fetch(`${url}/`)).text();
        const [, script] = /src="([^"]+)"/.exec(page) ?? [];
        const asset = await fetch(`${url}${script}`);
        assert.match(await asset.text(), /document\.title/);
        assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.equal(await (await fetch(`${url}/robots.txt`)).text(), 'all\n');
        // A page that the client makes, by its history.
        assert.equal(await (await fetch(`${url}/birds/7`, { headers: { accept: 'text/html' } })).text(), page);
        assert.equal((await fetch(`${url}/assets/none.js`)).status, 404);
        const socket = new WebSocket(`${url.replace('http', 'ws')}/api/echo`);
        await once(socket, 'open');
        socket.send('hello');
        assert.equal(String((await once(socket, 'message'))[0]), 'fulmar: hello');
        socket.close();
        await once(socket, 'close');
      });
    });
  }
});

describe('what is wrong with its options', () => {
  it('is told when the configuration is read', async () => {
    assert.throws(() => fulmar({ entry: 'a.ts', paht: '/api' } as never), /fulmar\(\) has no option paht; did you mean path/);
    assert.throws(() => fulmar({} as never), /fulmar\(\) needs the module that exports the app/);
    assert.throws(() => fulmar({ entry: 'a.ts', path: 'api' }), /fulmar\(\): path is a path such as '\/api'/);
    await assert.rejects(
      createServer({ root: project.folder, configFile: false, logLevel: 'silent', plugins: [fulmar({ entry: 'server/none.ts' })] }),
      /entry is server\/none\.ts, and .*none\.ts does not exist/,
    );
  });

  it('is told with the first request, where the module exports something else', async () => {
    project.write('server/other.ts', 'export default 7;\n');
    const vite = await createServer({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [fulmar({ entry: 'server/other.ts', path: ['/api', '/rpc'] })],
      server: { port: 0, host: '127.0.0.1' },
    });
    try {
      await vite.listen();
      const reply = await fetch(`${addressOf(vite)}/rpc/a`);
      assert.equal(reply.status, 500);
      assert.match(await reply.text(), /The default export of .*other\.ts is of type number; fulmar\/vite needs an app/);
    } finally {
      await vite.close();
    }
  });
});

it('a server that imports a file of Python is told how to load it', async () => {
  const own = createProject({ ...files, 'server/model.py': 'x = 1\n', 'server/app.ts': "import './model.py';\nexport default 1;\n" });
  try {
    const builder = await createBuilder(configOf(own.folder));
    const told = /server\/model\.py is imported, which Vite cannot\. .*: python\.import\('\.\/model\.py', \{ from: import\.meta\.url \}\)/;
    await assert.rejects(builder.buildApp(), told);
  } finally {
    own.remove();
  }
});

describe('a page that imports the server', () => {
  const text = (kind: string): string =>
    `import ${kind}app from '../server/app';\nexport type App = typeof app;\ndocument.title = '${kind}';\n`;

  it('is an error: the source of the server would stand in the files of the page', async () => {
    const own = createProject({ ...files, 'src/main.ts': `${text('')}console.log(app);\n` });
    try {
      const builder = await createBuilder(configOf(own.folder));
      await assert.rejects(builder.buildApp(), /a page imports server\/app\.ts, which is the server's\. Import its type alone/);
    } finally {
      own.remove();
    }
  });

  it('takes its type', async () => {
    const own = createProject({ ...files, 'src/main.ts': text('type ') });
    try {
      const builder = await createBuilder(configOf(own.folder));
      await builder.buildApp();
      const [asset = ''] = readdirSync(own.path('dist/client/assets'));
      assert.doesNotMatch(readFileSync(own.path(`dist/client/assets/${asset}`), 'utf8'), /petrel/);
    } finally {
      own.remove();
    }
  });
});
