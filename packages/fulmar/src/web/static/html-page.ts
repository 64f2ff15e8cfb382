/** The small HTML pages of redirects and errors, byte for byte upstream's. */

export function createHtmlDocument(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body>
<pre>${body}</pre>
</body>
</html>
`;
}

/** Several leading slashes would make a path a host for a browser: one is left. */
export function collapseLeadingSlashes(text: string): string {
  let at = 0;
  while (at < text.length && text[at] === '/') at++;
  return at > 1 ? `/${text.slice(at)}` : text;
}
