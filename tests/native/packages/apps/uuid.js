import { NIL, parse, stringify, v1, v3, v4, v5, v7, validate, version } from 'uuid';
import { answer, attempt } from './serve.js';
answer(() => {
  const random = [v1(), v4(), v7()];
  return {
    named: [v3('name', v3.DNS), v5('name', v5.URL)],
    versions: random.map((id) => [version(id), validate(id), id.length]),
    areDifferent: new Set([...random, v4(), v4()]).size,
    fixed: v4({ random: Uint8Array.from({ length: 16 }, (_, index) => index) }),
    parsed: stringify(parse(NIL)),
    wrong: attempt(() => parse('x')),
  };
});
