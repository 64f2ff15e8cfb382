/**
 * Media types whose content becomes clearly shorter: text and what is made of it, as `mime-db` has it.
 * Pictures, sound, archives and unknown bytes are left alone.
 */

const TYPE = /^\s*([^;\s]*)/;
const TEXT = /^text\/|\+(?:json|text|xml|yaml)$/;
const OTHERS: ReadonlySet<string> = new Set(
  (
    'dart ecmascript graphql javascript json jsonl ndjson postscript rtf tar toml vnd.dart vnd.ms-fontobject vnd.ms-opentype wasm ' +
    'x-httpd-php x-javascript x-ndjson x-ns-proxy-autoconfig x-sh x-tar x-www-form-urlencoded xml xml-dtd yaml'
  )
    .split(' ')
    .map((name) => `application/${name}`),
);
const FURTHER: ReadonlySet<string> = new Set([
  'font/otf',
  'font/ttf',
  'image/bmp',
  'image/vnd.adobe.photoshop',
  'image/vnd.microsoft.icon',
  'image/vnd.ms-dds',
  'image/x-icon',
  'image/x-ms-bmp',
  'message/rfc822',
  'model/gltf-binary',
  'x-shader/x-fragment',
  'x-shader/x-vertex',
]);

export function isCompressible(contentType: string): boolean {
  const type = (TYPE.exec(contentType)?.[1] ?? '').toLowerCase();
  return TEXT.test(type) || OTHERS.has(type) || FURTHER.has(type);
}
