// Made of sentiment.py by `fulmar polyglot types`: what is changed here is gone when it is made again.
import type { GuestHandle, NamedArguments } from 'fulmar/polyglot';

export interface Judgement {
  mood: 'good' | 'bad';
  confidence: number;
}

/** A text without a word that the model has seen: what it would say is a guess. */
export interface NothingKnown extends GuestHandle {}

export interface Model extends GuestHandle {
  /** All texts at once, which costs little more than one of them. */
  judge(texts: readonly string[]): Promise<Judgement[]>;
  judge(named: NamedArguments<{ texts: readonly string[] }>): Promise<Judgement[]>;
  known_words(): Promise<number>;
}

/** What a review thinks of its book: a small model of scikit-learn, trained with the texts that it is given. */
declare const module: {
  /** A text without a word that the model has seen: what it would say is a guess. */
  readonly NothingKnown: {
    new (...args: readonly unknown[]): Promise<NothingKnown>;
  };
  readonly Model: {
    new (texts: readonly string[], moods: readonly ('good' | 'bad')[]): Promise<Model>;
    new (named: NamedArguments<{ texts: readonly string[]; moods: readonly ('good' | 'bad')[] }>): Promise<Model>;
  };
};
export default module;
