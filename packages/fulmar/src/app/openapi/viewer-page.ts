/**
 * The page that shows a document, and what it may load: its own files alone. Text without a script in it, so that
 * the policy needs no exception for one.
 */

/**
 * Nothing of other origins, no script in the page. Swagger UI has its icons as `data:` and sets styles of
 * elements while it draws. `connect-src` lets "Try it out" ask the servers of the document.
 */
export function policyOf(servers: readonly string[]): string {
  const origins = servers.flatMap((url) => /^https?:\/\/[\w.:[\]-]+/.exec(url)?.[0] ?? []);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/** `files`: where its files are, `document`: the document; both as seen from the page. */
export function pageOf(title: string, files: string, document: string): string {
  const [escapedTitle, escapedFiles, escapedDocument] = [title, files, document].map(escape);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedTitle}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapedFiles}swagger-ui.css">
</head>
<body>
<div id="swagger-ui" data-document="${escapedDocument}"></div>
<script src="${escapedFiles}swagger-ui-bundle.js"></script>
<script src="${escapedFiles}start.js"></script>
</body>
</html>
`;
}

export const START_SCRIPT = `const place = document.getElementById('swagger-ui');
window.ui = SwaggerUIBundle({
  domNode: place,
  url: new URL(place.dataset.document, location.href).href,
  deepLinking: true,
  validatorUrl: null,
});
`;

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] as string);
