import { summary, type Account } from './account';

interface Props {
  title: string;
  bold?: boolean;
}

export function Line({ title, bold }: Props): JSX.Element {
  const id = title.toLowerCase();
  return bold ? <b id={id}>{title}</b> : <p id={id}>{title}</p>;
}

export function Card(props: { account: Account }): JSX.Element {
  const title = summary(props.account);
  const bold = title.length > 3;
  return (
    <p>
      <Line title={title} bold={bold} />
      {props.account.balance > 0 && <Line title="positive" />}
    </p>
  );
}

export const Empty = (): JSX.Element => <Line title="empty" bold />;
