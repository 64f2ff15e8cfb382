/**
 * What `fulmar help bench` prints. Text only; apart from the other helps, so that no start of an application
 * reads it.
 */

export const benchHelp = `Usage: fulmar bench [options] [file] [-- arguments]
       fulmar bench [options] http://127.0.0.1:3000/

Runs an Express, Koa, Fastify or node:http application on the Node that runs this command and, in turn, under \`fulmar run\`, puts
load on it, checks every reply, and prints CPU time per request, requests/s, latency, cold start and memory of both. With an
address it measures a server that runs already. Without either: what scripts.start or main of package.json name, or a file with a
usual name (server, app, index or main, here or in src). Takes less than two minutes. Linux only.

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
      --no-wait            do not wait for other processes to leave the CPU alone (15 s at most), nor give up when they do not
      --json               print everything that was measured as JSON
      --allow-remote       allow an address of another machine
  -h, --help               show this

Examples:
  fulmar bench app.js
  fulmar bench src/server.js --path /api/articles --path '/api/articles?tag=a'
  fulmar bench app.js --path /login -H 'Content-Type: application/json' --body '{"name":"ada"}'
`;
