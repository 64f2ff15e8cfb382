export class SampleThing {
  readonly id!: number;
  readonly name!: string;
}
