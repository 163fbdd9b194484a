import type { Comment, HunkView, ReviewView } from '../../../../src/dashboard/channel.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { viewPath } from '../../views.ts';

type ReviewFile = ReviewView['files'][number];

interface Place {
  file: string;
  line: number;
  code: string;
  hunkId: string;
}

interface FileDiffProps {
  file: ReviewFile;
  review: ReviewView;
  chosen: string | undefined;
  scopeName: string;
  onChoose: (id: string) => void;
  onAccept: (id: string, accepted: boolean) => void;
  onRevert: (id: string) => void;
  onComment: (place: Place) => void;
  onUncomment: (id: string) => void;
}

export function FileDiff(props: FileDiffProps) {
  const { file, review } = props;
  return (
    <section class="fileDiff" aria-label={visible(file.file)}>
      <header>
        <h2 class="mono">{visible(file.file)}</h2>
        <span class={`badge ${file.status === 'added' ? 'ok' : file.status === 'deleted' ? 'bad' : ''}`}>
          {file.status}
        </span>
        <span class="added">+{file.added}</span>
        <span class="removed">−{file.removed}</span>
      </header>
      {!file.isText && <p class="muted paneNote">This is no text, or too large, or not kept any more.</p>}
      {file.hunks.map((hunk) => (
        <Hunk
          key={hunk.id}
          {...props}
          hunk={hunk}
          comments={review.comments.filter((each) => each.file === file.file)}
        />
      ))}
    </section>
  );
}

function Hunk(props: FileDiffProps & { hunk: HunkView; comments: readonly Comment[] }) {
  const { file, hunk, review, chosen, scopeName, comments } = props;
  const { onChoose, onAccept, onRevert, onComment, onUncomment } = props;
  const isAccepted = review.accepted.includes(hunk.id);
  const link = `${location.origin}${viewPath('changes', `${scopeName}/${hunk.id}`)}`;
  const firstChange = hunk.newStart + hunk.lines.findIndex(({ mark }) => mark !== ' ');
  let [old, fresh] = [hunk.oldStart, hunk.newStart];
  return (
    <article
      id={`hunk-${hunk.id}`}
      class={`hunk ${chosen === hunk.id ? 'chosen' : ''} ${isAccepted ? 'accepted' : ''}`}
      aria-label={`Hunk at line ${firstChange}`}
      onClick={() => chosen !== hunk.id && onChoose(hunk.id)}
    >
      <header>
        <span class="muted mono">line {firstChange}</span>
        {!hunk.isThere && <span class="badge">no longer there</span>}
        {isAccepted && <span class="badge ok">accepted</span>}
        <span class="hunkActions">
          <CopyButton text={link} label="Copy a link to this hunk" />
          <button type="button" aria-pressed={isAccepted} onClick={() => onAccept(hunk.id, !isAccepted)}>
            <Icon name="check" />
            Accept
          </button>
          <button type="button" class="danger" disabled={!hunk.isThere} onClick={() => onRevert(hunk.id)}>
            <Icon name="undo" />
            Revert
          </button>
        </span>
      </header>
      <table class="hunkLines">
        <tbody>
          {hunk.lines.map((line, index) => {
            const oldLine = line.mark === '+' ? undefined : old++;
            const newLine = line.mark === '-' ? undefined : fresh++;
            const number = newLine ?? oldLine ?? 0;
            const here = newLine === undefined ? [] : comments.filter((each) => each.line === newLine);
            return (
              <>
                <tr key={index} class={line.mark === '+' ? 'plus' : line.mark === '-' ? 'minus' : ''}>
                  <td class="lineNumber">{oldLine}</td>
                  <td class="lineNumber">{newLine}</td>
                  <td class="lineMark">
                    <button
                      type="button"
                      class="quiet iconOnly"
                      aria-label={`Comment on line ${number}`}
                      onClick={(event) => {
                        event.stopPropagation();
                        onComment({ file: file.file, line: number, code: line.text, hunkId: hunk.id });
                      }}
                    >
                      <Icon name="comment" />
                    </button>
                    {line.mark}
                  </td>
                  <td class="lineText">{visible(line.text.replace(/\r?\n$/, ''))}</td>
                </tr>
                {here.map((comment) => (
                  <tr key={comment.id} class="commentRow">
                    <td colSpan={4}>
                      <span>{visible(comment.text)}</span>
                      <button
                        type="button"
                        class="quiet iconOnly"
                        aria-label="Remove the comment"
                        onClick={() => onUncomment(comment.id)}
                      >
                        <Icon name="cross" />
                      </button>
                    </td>
                  </tr>
                ))}
              </>
            );
          })}
        </tbody>
      </table>
    </article>
  );
}
