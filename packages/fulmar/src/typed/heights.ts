/**
 * How many levels the smallest value of a shape has: of types that contain themselves only some members end. Infinity
 * where none does.
 */
import type { Shape, ShapeDocument } from '../shape/shape.ts';

export class Heights {
  readonly #definitions: ShapeDocument['definitions'];
  #known: ReadonlyMap<string, number> | null = null;

  constructor(definitions: ShapeDocument['definitions']) {
    this.#definitions = definitions;
  }

  of(shape: Shape): number {
    this.#known ??= this.#all();
    return heightOf(shape, this.#known);
  }

  /** Again and again with what is known of the others, until nothing changes: each round settles one level at least. */
  #all(): ReadonlyMap<string, number> {
    const known = new Map<string, number>();
    for (let changed = true; changed;) {
      changed = false;
      for (const [name, shape] of Object.entries(this.#definitions)) {
        const height = heightOf(shape, known);
        if (height >= (known.get(name) ?? Infinity)) continue;
        known.set(name, height);
        changed = true;
      }
    }
    return known;
  }
}

function heightOf(shape: Shape, known: ReadonlyMap<string, number>): number {
  const most = (shapes: readonly Shape[]): number => Math.max(0, ...shapes.map((one) => heightOf(one, known)));
  switch (shape.kind) {
    case 'reference':
      return (known.get(shape.name) ?? Infinity) + 1;
    case 'union':
      return Math.min(...shape.members.filter(({ kind }) => kind !== 'never').map((one) => heightOf(one, known)));
    case 'object':
      return 1 + most(shape.properties.filter(({ presence }) => presence === 'required').map((property) => property.shape));
    case 'tuple':
      return 1 + most([...shape.items.filter(({ optional }) => optional !== true), ...(shape.last ?? [])].map((item) => item.shape));
    case 'array':
      return (shape.minItems ?? 0) > 0 ? 1 + heightOf(shape.items, known) : 1;
    case 'intersection':
      return most(shape.members);
    case 'codec':
      return 1 + heightOf(shape.wire, known);
    case 'never':
      return Infinity;
    default:
      return 0;
  }
}
