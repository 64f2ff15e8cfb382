export const bird = 'fulmar';
document.title = bird;
