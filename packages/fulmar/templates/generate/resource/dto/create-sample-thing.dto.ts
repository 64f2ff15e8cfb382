import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

export class CreateSampleThingDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly name!: string;
}
