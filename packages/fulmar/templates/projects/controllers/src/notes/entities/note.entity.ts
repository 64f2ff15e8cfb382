export class Note {
  readonly id!: number;
  readonly title!: string;
  readonly text!: string;
}
