/**
 * What `fulmar --help`, `fulmar help run`, `fulmar help bench` and `fulmar --version` print. Text only.
 */

export const generalHelp = `Fulmar runs JavaScript and TypeScript HTTP server applications on a Rust engine.

Usage: fulmar <command>

  run <file>           run an application
  build <file>         make one file, or one executable, of an application, with all it needs
  bench <file|url>     measure an application on stock Node and on Fulmar
  doctor [file]        start an application and tell what runs how, and why
  help [command]       show this, or all about a command
  version              show the version (also --version, -v)

Example: fulmar run app.ts
`;

export const runHelp = `Usage: fulmar run [options] <file> [arguments]

Runs a JavaScript or TypeScript file as node does, with express, koa, http and node:http leading to Fulmar in the
application and in its dependencies. What follows <file> is given to the application.

  -w, --workers <n>        serve with n processes that share the port; 0 or auto: one for each core
      --native             run on the native host instead of Node, as an executable made by fulmar build --native does
      --no-alias           leave every import as it is, to compare
      --watch              start again when a file of the application changes
      --env-file <file>    read environment variables from a file; variables that are set already win
      --drain-timeout <s>  seconds that requests in flight may take after SIGTERM or SIGINT (default 25)
      --verbose            show stacks of errors otherwise told in a line, and what imports lead to
  -h, --help               show this

Options of node (--inspect, --max-old-space-size=512, --import ./trace.mjs …) go before <file> and are passed on.

Examples:
  fulmar run app.js
  fulmar run --workers auto src/server.ts
  fulmar run --watch --env-file .env src/server.ts --port 8080
`;

export const benchHelp = `Usage: fulmar bench [options] <file> [-- arguments]
       fulmar bench [options] http://127.0.0.1:3000/

Runs an Express, Koa, Fastify or node:http application on the Node that runs this command and, in turn, under \`fulmar run\`, puts
load on it, checks every reply, and prints CPU time per request, requests/s, latency, cold start and memory of both. With an
address it measures a server that runs already. Takes less than two minutes. Linux only.

      --path <path>        measure this path; may be repeated (default: GET routes without parameters that are found, or /)
  -X, --method <method>    method of all paths (default GET, POST with --body)
  -H, --header <line>      "name: value" for all requests; may be repeated
      --body <text>        content of all requests
  -d, --duration <s>       seconds of each measurement (default: what fits the time, 0.8 to 5)
      --rounds <n>         rounds in which both take turns (default 5)
  -c, --connections <n>    connections, each with one request at a time (default 64)
      --routes <n>         measure at most n of the routes that are found (default 5)
      --starts <n>         cold starts of each (default 9; 0: none)
      --native             measure the executable that fulmar build --native makes as well
      --port <n>           the port to wait for, where the application listens on several; also given to it as PORT
      --start-timeout <s>  seconds until the application must listen (default 20)
      --no-wait            do not wait for other processes to leave the CPU alone (15 s at most)
      --json               print everything that was measured as JSON
      --allow-remote       allow an address of another machine
  -h, --help               show this

Examples:
  fulmar bench app.js
  fulmar bench src/server.js --path /api/articles --path '/api/articles?tag=a'
  fulmar bench app.js --path /login -H 'Content-Type: application/json' --body '{"name":"ada"}'
`;
