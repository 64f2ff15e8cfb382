/** What a file of RBS declares: the shapes. */

export type RubyType =
  /** A class, an interface, an alias, or a word of RBS's (`bool`, `void`). */
  | { readonly kind: 'name'; readonly name: string; readonly items: readonly RubyType[] }
  | { readonly kind: 'literal'; readonly of: 'string' | 'symbol' | 'other'; readonly value: string }
  | { readonly kind: 'union' | 'intersection' | 'tuple' | 'optional'; readonly items: readonly RubyType[] }
  | { readonly kind: 'record'; readonly members: readonly RubyRecordMember[] }
  | { readonly kind: 'function'; readonly function: RubyFunction }
  | { readonly kind: 'singleton'; readonly name: string };

export interface RubyRecordMember {
  readonly name: string;
  /** `"name" => String`; else the key is a symbol. */
  readonly isText: boolean;
  readonly isOptional: boolean;
  readonly type: RubyType;
}

export interface RubyParameter {
  /** `trailing`: one that is required behind those that are not. */
  readonly kind: 'required' | 'optional' | 'rest' | 'trailing' | 'named' | 'optional named' | 'named rest';
  readonly name: string | undefined;
  readonly type: RubyType;
}

export interface RubyFunction {
  readonly parameters: readonly RubyParameter[];
  readonly block: { readonly isOptional: boolean; readonly function: RubyFunction } | undefined;
  readonly returns: RubyType;
}

export interface RubyMethod {
  readonly name: string;
  readonly doc: string;
  /** `both`: `self?.name`, a function of a module. */
  readonly of: 'object' | 'class' | 'both';
  readonly isPrivate: boolean;
  readonly isAttribute: boolean;
  readonly overloads: readonly RubyFunction[];
}

export interface RubyConstant {
  readonly name: string;
  readonly doc: string;
  readonly type: RubyType;
}

/** A class, a module or an interface; the file itself has no name. */
export interface RubyScope {
  readonly kind: 'class' | 'module' | 'interface' | 'file';
  readonly name: string;
  readonly doc: string;
  readonly superclass: RubyType | undefined;
  readonly methods: RubyMethod[];
  readonly aliases: { readonly name: string; readonly old: string; readonly isOfClass: boolean }[];
  readonly included: string[];
  readonly extended: string[];
  readonly constants: RubyConstant[];
  readonly types: { readonly name: string; readonly type: RubyType }[];
  readonly scopes: RubyScope[];
}
