/** Classes with a codec: their shape is what the codec sends, under its name. */
import type ts from 'typescript';
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import type { KnownCodecs } from '../program/codecs.ts';
import type { Analyzer } from './analyzer.ts';

export function codecOf(type: ts.Type, path: string, analyzer: Analyzer): Shape | undefined {
  const symbol = type.getSymbol();
  const known = symbol === undefined ? undefined : analyzer.codecs.get(symbol);
  if (symbol === undefined || known === undefined) return undefined;
  const { name, wire, file } = known;
  analyzer.files.add(file);
  if (name === undefined)
    return analyzer.tell(path, `has a codec in ${file} whose name is not written out: write codec('${symbol.name}', …)`);
  const other = otherOf(name, symbol, analyzer.codecs);
  if (other !== undefined) return analyzer.tell(path, `has a codec ${name}, and so has ${other.name}: name them apart`);
  return { kind: 'codec', name, wire: analyzer.shapeOf(wire, `${path} as it is sent`) };
}

function otherOf(name: string, symbol: ts.Symbol, codecs: KnownCodecs): ts.Symbol | undefined {
  for (const [one, codec] of codecs) if (codec.name === name && one !== symbol) return one;
  return undefined;
}
