/**
 * What `fulmar help build` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */

export const buildHelp = `Usage: fulmar build [options] [file|folder]

Makes one file of an application: its modules, its dependencies, Fulmar and its engine, and the files it reads. It runs with
\`node <out>\` on a machine of the same platform, without node_modules and without this command. With --native it makes an
executable, which runs without Node as well. Without a file: what scripts.start or main of package.json name, or a file with a
usual name (server, app, index or main, here or in src). Of a folder of routes, or one with a fulmar.config, it makes
dist/server.mjs, or dist/server with --native, which fulmar start runs.

      --native             make an executable
      --target <platform>  make what a platform calls: lambda (a folder to zip), vercel (.vercel/output) or cloudflare (a
                           worker); the file exports its application by default, or calls listen()
  -o, --out <file>         where to write it (default: <name of file>.bundle.mjs, or the name alone with --native, in the
                           working directory; with --target <name>.lambda, .vercel/output, <name>.worker.mjs)
      --include <path>     embed this file or folder (views, public …), which the application reads; may be repeated
      --require <name>     bundle this file, folder or package too, for requires whose name is computed; may be repeated
      --minify             make the code smaller
      --sourcemap          embed a source map: stacks name the sources
      --strip-debug        with --native: keep no names and lines for stacks
      --no-alias           leave every import of express, koa and http as it is
      --allow-missing      a module that cannot be bundled is an error of the call that asks for it, not of the build
  -h, --help               show this

Examples:
  fulmar build src/server.ts --include views --include public
  fulmar build server.js -o dist/app.mjs --require ./models
  fulmar build src/server.ts --native -o dist/server
  fulmar build src/server.ts --target lambda
`;
