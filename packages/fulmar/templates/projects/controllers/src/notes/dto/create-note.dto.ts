import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

export class CreateNoteDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly title!: string;

  @IsString()
  @MaxLength(10_000)
  readonly text: string = '';
}
