// A .vsix is a zip of the extension with two files that say what it is. The same input makes the same bytes.
import { crc32, deflateRawSync } from 'node:zlib';

/** @param {Record<string, unknown>} manifest @param {Record<string, string | Uint8Array>} files below `extension/` */
export function vsix(manifest, files) {
  return zip({
    'extension.vsixmanifest': vsixManifest(manifest),
    '[Content_Types].xml': contentTypes,
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`extension/${name}`, content])),
  });
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${Object.entries({
  json: 'application/json',
  cjs: 'application/javascript',
  js: 'application/javascript',
  md: 'text/markdown',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
})
  .map(([extension, type]) => `<Default Extension=".${extension}" ContentType="${type}"/>`)
  .join('')}</Types>
`;

function vsixManifest({ name, publisher, version, displayName, description, engines, extensionKind, categories }) {
  const properties = {
    'Microsoft.VisualStudio.Code.Engine': engines.vscode,
    'Microsoft.VisualStudio.Code.ExtensionKind': extensionKind.join(','),
    'Microsoft.VisualStudio.Code.ExtensionDependencies': '',
    'Microsoft.VisualStudio.Code.ExtensionPack': '',
  };
  const asset = (type, path) => `<Asset Type="${type}" Path="extension/${path}" Addressable="true"/>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${text(name)}" Version="${text(version)}" Publisher="${text(publisher)}"/>
    <DisplayName>${text(displayName)}</DisplayName>
    <Description xml:space="preserve">${text(description)}</Description>
    <Categories>${text(categories.join(','))}</Categories>
    <Properties>
${Object.entries(properties)
  .map(([id, value]) => `      <Property Id="${id}" Value="${text(value)}"/>`)
  .join('\n')}
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    ${asset('Microsoft.VisualStudio.Code.Manifest', 'package.json')}
    ${asset('Microsoft.VisualStudio.Services.Content.Details', 'README.md')}
    ${asset('Microsoft.VisualStudio.Services.Content.License', 'LICENSE.txt')}
  </Assets>
</PackageManifest>
`;
}

function text(value) {
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Names are ASCII; the time of every entry is the first that the format knows. */
export function zip(files) {
  const [bodies, directory] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed
    common.writeUInt16LE(8, 4); // deflate
    common.writeUInt16LE(0x21, 8); // 1980-01-01
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 3]); // by version 2.0, on Unix: so the mode below counts
    entry.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    bodies.push(signature(0x04034b50), common, Buffer.from(name), packed);
    directory.push(signature(0x02014b50), made, common, entry, Buffer.from(name));
    offset += 4 + common.length + name.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, ...directory, signature(0x06054b50), end]);
}

function signature(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
