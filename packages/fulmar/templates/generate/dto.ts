import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

/** What comes in: checked by `ValidationPipe`. */
export class SampleThingsDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly name!: string;
}
