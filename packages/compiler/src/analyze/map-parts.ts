/** The same shape with others in place of what stands within it: one level, so that callers say how deep they go. */
import type { Shape, TupleItem } from '../../../fulmar/src/shape/shape.ts';

/** `step`: how a path goes on to the part, as in `.name` and `[0]`; empty where it stays where it is. */
export type Inner = (part: Shape, step: string) => Shape;

export function mapParts(shape: Shape, inner: Inner): Shape {
  switch (shape.kind) {
    case 'array':
      return { ...shape, items: inner(shape.items, '[]') };
    case 'set':
      return { ...shape, items: inner(shape.items, '<>') };
    case 'tuple': {
      const of = (item: TupleItem, at: number): TupleItem => ({ ...item, shape: inner(item.shape, `[${at}]`) });
      const { rest, last } = shape;
      return {
        ...shape,
        items: shape.items.map(of),
        ...(rest !== undefined && { rest: inner(rest, '[]') }),
        ...(last !== undefined && { last: last.map(of) }),
      };
    }
    case 'object': {
      const properties = shape.properties.map((property) => ({ ...property, shape: inner(property.shape, `.${property.name}`) }));
      const index = shape.index?.map(({ key, value }) => ({ key, value: inner(value, '[]') }));
      return { ...shape, properties, ...(index !== undefined && { index }) };
    }
    case 'map':
      return { ...shape, key: inner(shape.key, '<key>'), value: inner(shape.value, '<value>') };
    case 'codec':
      return { ...shape, wire: inner(shape.wire, ' as it is sent') };
    case 'intersection':
    case 'union':
      return { ...shape, members: shape.members.map((member) => inner(member, '')) };
    default:
      return shape;
  }
}
