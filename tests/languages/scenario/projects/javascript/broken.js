// @ts-check
export const bow = new Gift('bow', 1, 1);
