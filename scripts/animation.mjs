// Several pictures as one animated PNG: of each frame only the rectangle that differs from the one before is kept.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const bytesPerPixel = 3;

/** `frames`: `{png, seconds}` of one size. Shown in turn, for ever; programs that know no animation show the first. */
export function animation(frames) {
  const images = frames.map(({ png }) => decoded(png));
  const [{ width, height }] = images;
  const header = Buffer.concat([numbers(width, height), Buffer.from([8, 2, 0, 0, 0])]);
  const parts = [signature, chunk('IHDR', header), chunk('acTL', numbers(frames.length, 0))];
  let sequence = 0;
  for (const [index, image] of images.entries()) {
    const box = index === 0 ? { x: 0, y: 0, width, height } : changed(images[index - 1], image);
    const control = Buffer.alloc(26);
    [sequence++, box.width, box.height, box.x, box.y].forEach((value, place) =>
      control.writeUInt32BE(value, place * 4),
    );
    control.writeUInt16BE(Math.round(frames[index].seconds * 1000), 20);
    control.writeUInt16BE(1000, 22);
    const data = encoded(image, box);
    parts.push(chunk('fcTL', control));
    parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])));
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** The smallest rectangle with all that differs; a pixel where nothing does. */
function changed(before, { width, height, pixels }) {
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let at = 0; at < pixels.length; at += bytesPerPixel) {
    if (pixels.compare(before.pixels, at, at + bytesPerPixel, at, at + bytesPerPixel) === 0) continue;
    const x = (at / bytesPerPixel) % width;
    const y = Math.floor(at / bytesPerPixel / width);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = y;
  }
  if (box.left > box.right) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: box.left, y: box.top, width: box.right - box.left + 1, height: box.bottom - box.top + 1 };
}

/** Each line as it is or as its difference from the one above, whichever has fewer different bytes. */
function encoded(image, { x, y, width, height }) {
  const length = width * bytesPerPixel;
  const lines = Array.from({ length: height }, (_, row) => {
    const start = ((y + row) * image.width + x) * bytesPerPixel;
    return image.pixels.subarray(start, start + length);
  });
  return deflateSync(
    Buffer.concat(
      lines.flatMap((line, row) => {
        const above = lines[row - 1];
        if (above === undefined) return [Buffer.from([0]), line];
        const difference = Buffer.from(line.map((value, at) => value - above[at]));
        const isUseful = difference.filter((value) => value !== 0).length < length / 4;
        return isUseful ? [Buffer.from([2]), difference] : [Buffer.from([0]), line];
      }),
    ),
    { level: 9, memLevel: 9 },
  );
}

/** Eight bits a colour, with or without transparency, as Chromium writes it. */
function decoded(png) {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = { 2: 3, 6: 4 }[header[9]];
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data: part }) => part)));
  const stride = width * channels;
  const pixels = Buffer.alloc(width * height * bytesPerPixel);
  let above = Buffer.alloc(stride);
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1);
    const line = unfiltered(data[start], data.subarray(start + 1, start + 1 + stride), above, channels);
    for (let x = 0; x < width; x++)
      line.copy(pixels, (row * width + x) * bytesPerPixel, x * channels, x * channels + 3);
    above = line;
  }
  return { width, height, pixels };
}

function unfiltered(filter, line, above, channels) {
  const result = Buffer.alloc(line.length);
  for (let at = 0; at < line.length; at++) {
    const left = at < channels ? 0 : result[at - channels];
    const corner = at < channels ? 0 : above[at - channels];
    const guess = [0, left, above[at], (left + above[at]) >> 1, filter === 4 ? paeth(left, above[at], corner) : 0][
      filter
    ];
    result[at] = line[at] + guess;
  }
  return result;
}

function paeth(left, up, corner) {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunksOf(png) {
  const found = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values) {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4));
  return buffer;
}
