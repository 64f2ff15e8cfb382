import { Ajv } from 'ajv';
import { answer, attempt } from './serve.js';
answer(() => {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
  });
  const validate = ajv.compile({
    type: 'object',
    required: ['a', 'b'],
    additionalProperties: false,
    properties: {
      a: {
        type: 'integer',
        minimum: 2,
      },
      b: {
        type: 'string',
        pattern: '^x+$',
      },
      c: {
        type: 'array',
        items: { $ref: '#/definitions/d' },
        uniqueItems: true,
      },
      e: {
        type: 'number',
        default: 5,
      },
    },
    definitions: { d: { oneOf: [{ type: 'number' }, { type: 'null' }] } },
  });
  const good = {
    a: '3',
    b: 'xx',
    c: [1, null],
  };
  return [
    validate(good),
    good,
    validate({
      a: 1,
      b: 'y',
      c: [1, 1, 'q'],
      f: 0,
    }),
    validate.errors,
    ajv.errorsText(validate.errors),
    attempt(() => ajv.compile({ type: 'nothing' })),
  ];
});
