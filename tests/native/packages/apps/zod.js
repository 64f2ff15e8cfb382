import { z } from 'zod';
import { answer } from './serve.js';
const schema = z.object({
  name: z.string().min(2).max(10),
  email: z.email(),
  age: z.coerce.number().int().positive().optional(),
  tags: z.array(z.enum(['a', 'b'])).default([]),
  kind: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('x'),
      x: z.number(),
    }),
    z.object({
      type: z.literal('y'),
      y: z.iso.date(),
    }),
  ]),
});
answer(async () => {
  const good = schema.safeParse({
    name: 'abc',
    email: 'a@b.example',
    age: '4',
    kind: {
      type: 'y',
      y: '2024-02-29',
    },
  });
  const bad = schema.safeParse({
    name: 'a',
    email: 'no',
    age: -1.5,
    tags: ['c'],
    kind: { type: 'z' },
  });
  const refined = z
    .string()
    .transform((text) => text.length)
    .refine(async (length) => length > 3, 'too short');
  return {
    good,
    issues: bad.error?.issues,
    text: bad.error === undefined ? '' : z.prettifyError(bad.error),
    refined: [await refined.safeParseAsync('ab'), await refined.safeParseAsync('abcd')],
    json: z.toJSONSchema(schema, { io: 'input' }),
  };
});
