/** A part of a text in Markdown or reStructuredText, under its heading. */
interface ReadmeSection {
  heading: string;
  text: string;
}

/** The sections of a README, in order; what stands before the first heading has none. */
export function sectionsOf(text: string): ReadmeSection[] {
  const sections: ReadmeSection[] = [];
  let heading = '';
  let lines: string[] = [];
  let fence: string | undefined;
  const end = () => {
    const body = lines.join('\n').trim();
    if (heading !== '' || body !== '') sections.push({ heading, text: body });
    lines = [];
  };
  const all = withoutMarkup(text).split(/\r?\n/);
  for (const [index, line] of all.entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.charAt(0);
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    const found = fence === undefined ? headingAt(all, index) : undefined;
    if (found === undefined) lines.push(line);
    else {
      end();
      heading = found;
    }
  }
  end();
  return sections;
}

function headingAt(lines: readonly string[], index: number): string | undefined {
  const line = lines[index] ?? '';
  const hashes = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
  if (hashes !== undefined) return hashes.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  const underline = lines[index + 1] ?? '';
  const isUnderlined = /^([=\-~^"'])\1{2,}\s*$/.test(underline) && underline.trim().length >= line.trim().length;
  return isUnderlined && line.trim() !== '' && !/^\s|^[-*|>]/.test(line) ? line.trim() : undefined;
}

/** Badges, pictures, comments and the marks of HTML tell a model nothing. Code stays as it is. */
function withoutMarkup(text: string): string {
  const parts = text.split(/(^[ \t]*```[^]*?^[ \t]*```[ \t]*$)/m);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : plainProse(part)))
    .join('')
    .replace(/\n{3,}/g, '\n\n');
}

function plainProse(text: string): string {
  return text
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<h([1-6])\b[^>]*>([^]*?)<\/h\1>/gi, (_whole, level: string, title: string) => {
      const words = title.replace(/<[^>]*>/g, '').trim();
      return words === '' ? '' : `\n${'#'.repeat(Number(level))} ${words}\n`;
    })
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?/g, '')
    .replace(/^[ \t\u2022|\u00b7]+$/gm, '');
}

/** The first section with something to read; many begin with a row of links. */
export function introductionOf(sections: readonly ReadmeSection[]): ReadmeSection | undefined {
  const proseOf = ({ text }: ReadmeSection) =>
    text
      .split('\n')
      .filter((line) => line.trim().split(' ').length > 4)
      .join(' ').length;
  return sections.find((each) => proseOf(each) > 120) ?? sections.find((each) => proseOf(each) > 20);
}

/** The section that a topic is about: by its heading, else the one that speaks of it most. */
export function sectionAbout(sections: readonly ReadmeSection[], topic: string): ReadmeSection | undefined {
  const wanted = topic.toLowerCase();
  const headed = sections.find(({ heading }) => plain(heading) === plain(topic));
  const similar = sections.find(({ heading }) => heading.toLowerCase().includes(wanted));
  if (headed !== undefined || similar !== undefined) return headed ?? similar;
  const counted = sections
    .map((section) => ({ section, count: section.text.toLowerCase().split(wanted).length - 1 }))
    .filter(({ count }) => count > 0);
  return counted.toSorted((a, b) => b.count - a.count)[0]?.section;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
