import { Form, Link } from "react-router"
import { localPath } from "~/domain/locales"
import { servicePath } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { DoneNotice } from "../layout/done-notice"

/** One line of the list, with its texts. */
export type LineRow = Pick<Service, "id" | "status"> & {
  readonly name: string
  /** Null: it is the name. */
  readonly username: string | null
  /** Address of its device; null: none. */
  readonly device: string | null
  /** Until when it is paid; null: no end. */
  readonly end: string | null
  /** Name of its checkbox; null: it cannot be extended. */
  readonly select: string | null
  /** Selected in a form that was refused. */
  readonly isSelected: boolean
  /** Text of the button that extends it alone; null: it cannot be extended. */
  readonly extend: string | null
  /** Opens the message for its customer; null: there is nothing to tell. */
  readonly message: { readonly text: string; readonly href: string } | null
  /** Null: it cannot be cancelled any more. */
  readonly cancel: { readonly summary: string; readonly lead: string; readonly confirm: string } | null
}

type PageLink = { readonly text: string; readonly href: string | null }

/** A reseller's lines with all texts in the reader's language. */
export type LineListView = {
  /** What a credit is worth. */
  readonly lead: string
  /** What has just been done; null: nothing. */
  readonly notice: string | null
  readonly search: {
    readonly name: string
    readonly label: string
    readonly submit: string
    readonly value: string
    /** The filter that the search keeps. */
    readonly filter: { readonly name: string; readonly value: string }
  }
  readonly filterLabel: string
  readonly filters: readonly {
    readonly text: string
    readonly count: number
    readonly href: string
    readonly isCurrent: boolean
  }[]
  /** All lines as a file. */
  readonly file: { readonly text: string; readonly href: string }
  /** How the lines are sorted. */
  readonly order: string
  readonly rows: readonly LineRow[]
  /** The reseller has lines, though none may match. */
  readonly hasLines: boolean
  readonly empty: string
  /** Text of the button that extends what is selected. */
  readonly extend: string
  readonly pages: { readonly label: string; readonly previous: PageLink; readonly next: PageLink } | null
}

type LineListProps = {
  view: LineListView
  serviceId: string
  formKey: string
  /** The reseller's credits, which extend lines. */
  balance: number
  /** Why the last change was refused. */
  refusal: string | null
}

/** Lines of the reseller's customers: extended by credits, one or many at once, or cancelled unused. */
export function LineList({ view, serviceId, formKey, balance, refusal }: LineListProps) {
  const { notice, hasLines, rows, empty, extend, pages, file } = view
  return (
    <div className="line-list">
      <DoneNotice text={refusal === null ? notice : null} />
      {refusal !== null && (
        <p className="error" role="alert">
          {refusal}
        </p>
      )}
      {hasLines && <FindLines view={view} />}
      {rows.length === 0 ? (
        <p className="note">{empty}</p>
      ) : (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="serviceid" value={serviceId} />
          <input type="hidden" name="key" value={`${formKey}-extend`} />
          <ul className="made-lines">
            {rows.map((row) => (
              <Row key={row.id} row={row} balance={balance} />
            ))}
          </ul>
          {balance > 0 && rows.some(({ select }) => select !== null) && (
            <button name="intent" value="extend-lines">
              {extend}
            </button>
          )}
        </Form>
      )}
      {pages && (
        <p className="line-pages">
          <Pager link={pages.previous} /> <span>{pages.label}</span> <Pager link={pages.next} />
        </p>
      )}
      {hasLines && (
        <a className="quiet" href={file.href} download>
          {file.text}
        </a>
      )}
    </div>
  )
}

function FindLines({ view: { search, filters, filterLabel, order } }: Pick<LineListProps, "view">) {
  return (
    <>
      <LineSearch search={search} />
      <nav aria-label={filterLabel}>
        {filters.map(({ text, count, href, isCurrent }) => (
          <Link
            key={href}
            to={`${href}#line`}
            className="quiet"
            aria-current={isCurrent ? "true" : undefined}
            preventScrollReset
          >
            {text} <small>{count}</small>
          </Link>
        ))}
        <small>{order}</small>
      </nav>
    </>
  )
}

/** A search works without script: it is a part of the address. */
function LineSearch({ search: { name, label, submit, value, filter } }: { search: LineListView["search"] }) {
  return (
    <Form method="get" action="#line" className="line-search" role="search" preventScrollReset>
      <input type="hidden" name={filter.name} value={filter.value} />
      <input
        key={value}
        type="search"
        name={name}
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        maxLength={100}
        autoComplete="off"
      />
      <button>{submit}</button>
    </Form>
  )
}

type RowProps = Pick<LineListProps, "balance"> & { row: LineRow }

function Row({ row, balance }: RowProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { id, name, username, status, device, end, select, isSelected, extend, message, cancel } = row
  return (
    <li>
      <div className="line-row">
        {select !== null && balance > 0 && (
          <label>
            {/* Selected until credits are used: the row stays, and with it the focus on the button that was pressed. */}
            <input
              key={balance}
              type="checkbox"
              name="line"
              value={id}
              aria-label={select}
              defaultChecked={isSelected}
            />
          </label>
        )}
        <Link to={localPath(locale, servicePath(id))}>
          <strong>{name}</strong>{" "}
          <small>
            {username && `${username} · `}
            {t(`success.status.${status}`)}
            {end !== null && ` · ${end}`}
            {device !== null && ` · ${device}`}
          </small>
        </Link>
      </div>
      <p className="line-acts">
        {extend !== null && balance > 0 && (
          <button name="extend" value={id}>
            {extend}
            <span className="hidden"> {name}</span>
          </button>
        )}
        {message && (
          <Link className="button" to={message.href} preventScrollReset>
            {message.text}
            <span className="hidden"> {name}</span>
          </Link>
        )}
      </p>
      {cancel && (
        <details className="fold">
          <summary>{cancel.summary}</summary>
          <p className="note">{cancel.lead}</p>
          <button name="cancel" value={id}>
            {cancel.confirm}
          </button>
        </details>
      )}
    </li>
  )
}

function Pager({ link: { text, href } }: { link: PageLink }) {
  if (href === null) return <span className="note">{text}</span>
  return (
    <Link className="quiet" to={`${href}#line`} preventScrollReset>
      {text}
    </Link>
  )
}
