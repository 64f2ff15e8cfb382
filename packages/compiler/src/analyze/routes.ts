/**
 * The types of a route, `route<{ body: NewUser; response: User }>()`: a shape for each place of the request, and
 * one for the reply or one for each status. Knows the names of the places as routes have them.
 */
import ts from 'typescript';
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Analyzer } from './analyzer.ts';
import { wireProblem } from './wire-problem.ts';

const PLACES = ['params', 'query', 'headers', 'cookies', 'body', 'response'] as const;
type Place = (typeof PLACES)[number];

export type RouteShapes = Partial<Record<Place, Shape | { readonly byStatus: Readonly<Record<string, Shape>> }>>;

const STATUS = /^[2-5]\d\d$/;
const isPlace = (name: string): name is Place => (PLACES as readonly string[]).includes(name);

export function routeOf(type: ts.Type, path: string, analyzer: Analyzer): RouteShapes {
  const found: RouteShapes = {};
  if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) {
    analyzer.tell(path, 'is no object: name the types of a route by their places, as in route<{ body: NewUser; response: User }>()');
    return found;
  }
  for (const member of analyzer.checker.getPropertiesOfType(type)) {
    const { name } = member;
    const where = `${path}.${name}`;
    if (!isPlace(name)) analyzer.tell(where, `is no place of a route; there are ${PLACES.join(', ')}`);
    else if ((member.flags & ts.SymbolFlags.Optional) !== 0) analyzer.tell(where, 'is optional: a route has a type there, or none');
    else found[name] = placeOf(name, analyzer.checker.getTypeOfSymbol(member), where, analyzer);
  }
  return found;
}

function placeOf(place: Place, type: ts.Type, where: string, analyzer: Analyzer): NonNullable<RouteShapes[Place]> {
  if (place === 'response') {
    const members = analyzer.checker.getPropertiesOfType(type);
    const isOfStatuses = (type.flags & ts.TypeFlags.Object) !== 0 && members.length > 0 && members.every(({ name }) => STATUS.test(name));
    if (!isOfStatuses) return analyzer.shapeOf(type, where);
    const shapes = members.map((one) => [one.name, analyzer.shapeOf(analyzer.checker.getTypeOfSymbol(one), `${where}[${one.name}]`)]);
    return { byStatus: Object.fromEntries(shapes) as Record<string, Shape> };
  }
  const shape = analyzer.shapeOf(type, where);
  const problem = wireProblem('schema', shape, analyzer.definitions);
  return problem === undefined ? shape : analyzer.tell(where, problem);
}
