const gift = new Gift('bow', 1, 1);
export const wrong: number = 'text';
