export const name: string = 'fulmar';
