/** The preset of `preset: 'fulmar/jest'`, for a configuration that spreads it. Types only. */

declare const preset: {
  readonly moduleNameMapper?: Record<string, string | string[]>;
  readonly resolver?: string;
};
export = preset;
