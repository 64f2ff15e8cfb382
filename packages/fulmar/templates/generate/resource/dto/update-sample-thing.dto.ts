import { IsNotEmpty, IsString, MaxLength, ValidateIf } from 'class-validator';

export class UpdateSampleThingDto {
  // What is left out stays as it is. Not `@IsOptional()`, which would let `null` pass.
  @ValidateIf((_given, name) => name !== undefined)
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly name?: string;
}
