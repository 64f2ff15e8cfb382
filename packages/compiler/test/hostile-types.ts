/** Types whose readers are handed what others send; they use the declarations of `cases.ts`. */
export const TYPES = {
  json: 'Json',
  tree: 'Tree',
  list: 'List<string>',
  shape: 'Shape',
  point: 'Point',
  kept: 'Point & f.UnknownKeys<"keep">',
  record: 'Record<string, number>',
  odd: '{ toString?: string; __proto__?: { admin: boolean } }',
  wire: '{ at: Date; n?: bigint; b: Uint8Array | null; m: Map<string, Date>; s: Set<bigint>; u?: URL }',
  mixed: '{ id: f.Int; name: string & f.MaxLength<5>; tags: ("a" | "b")[]; in?: { deep: [number, string?]; or: Point | string | null } }',
} as const;
