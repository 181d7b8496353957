import { localText } from "~/domain/local-time"
import { type Block, blockKinds } from "~/domain/orders/fraud"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "./action-form.server"
import { consoleHref } from "./console-frame.server"
import { type ActionNotice, FormNotice, Notice } from "./form-parts.server"
import { ListTable } from "./list-parts.server"
import { customerHref } from "./record-links.server"

type Action = "add-block" | "remove-block"

type BlocksProps = {
  filter: { readonly kind: string; readonly text: string }
  /** `key`: how the form to remove it names it. `name`: how people do. */
  blocks: readonly (Block & { readonly key: string; readonly name: string })[]
  /** There are more. */
  isCut: boolean
  /** What the role allows. */
  actions: readonly Action[]
  newKey: () => string
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: { readonly action: Action; readonly value: string; readonly reason: string } | null
  timeZone: string
}

/** What is blocked, and forms to block something and to end a block. */
export function BlocksScreen(props: BlocksProps) {
  const { filter, blocks, isCut, actions, notice, timeZone } = props
  const possible = actions.filter((it) => it === "add-block" || blocks.length > 0)
  return (
    <>
      <div className="title">
        <h1>{t("blocks.title")}</h1>
        <p>{t("blocks.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <Filter filter={filter} />
      </section>
      {isCut && <Notice kind="warning">{t("blocks.more", { count: blocks.length })}</Notice>}
      <section className="card">
        {blocks.length === 0 ? (
          <p>{t(isFiltered(filter) ? "blocks.noneFound" : "blocks.none")}</p>
        ) : (
          <BlockTable blocks={blocks} timeZone={timeZone} />
        )}
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {possible.length === 0 && <p>{t("action.nothing")}</p>}
        {possible.map((action) => (
          <BlockAction key={action} {...props} action={action} />
        ))}
      </section>
    </>
  )
}

function isFiltered({ kind, text }: BlocksProps["filter"]): boolean {
  return kind !== "" || text !== ""
}

function Filter({ filter }: Pick<BlocksProps, "filter">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/blocks")}>
        <div className="filters">
          <p className="field">
            <label htmlFor="kind">{t("blocks.kind")}</label>
            <select id="kind" name="kind" defaultValue={filter.kind}>
              <option value="">{t("blocks.any")}</option>
              {blockKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`blocks.kinds.${kind}`)}
                </option>
              ))}
            </select>
          </p>
          <TextField id="value" name="value" label={t("blocks.begins")} value={filter.text} isOptional />
        </div>
        <div className="buttons">
          <button className="button main" type="submit">
            {t("list.apply")}
          </button>
          {(filter.kind !== "" || filter.text !== "") && (
            <a href={consoleHref("/admin/blocks")}>{t("list.clear")}</a>
          )}
        </div>
      </form>
    </search>
  )
}

function BlockTable({ blocks, timeZone }: Pick<BlocksProps, "blocks" | "timeZone">) {
  return (
    <ListTable
      label={t("blocks.title")}
      heads={[
        { text: "blocks.value" },
        { text: "blocks.kind" },
        { text: "blocks.why" },
        { text: "blocks.since" },
      ]}
    >
      {blocks.map(({ key, kind, value, name, reason, at }) => (
        <tr key={key}>
          <td>{kind === "customer" ? <a href={customerHref(value)}>{name}</a> : name}</td>
          <td>{t(`blocks.kinds.${kind}`)}</td>
          <td className="breaks">{reason}</td>
          <td>{localText(at, timeZone)}</td>
        </tr>
      ))}
    </ListTable>
  )
}

function BlockAction({ action, blocks, newKey, typed }: BlocksProps & { action: Action }) {
  const refused = typed?.action === action ? typed : null
  return (
    <ActionForm
      action={action}
      name={t(`blocks.actions.${action}`)}
      now={t(action === "add-block" ? "blocks.free" : "blocks.held")}
      after={t(action === "add-block" ? "blocks.held" : "blocks.free")}
      formKey={newKey()}
      seen=""
      refused={refused}
      proof={null}
    >
      {action === "add-block" ? (
        <TextField
          id="new-value"
          name="value"
          label={t("blocks.what")}
          value={refused?.value}
          maxLength={254}
        />
      ) : (
        <p className="field">
          <label htmlFor="block">{t("blocks.which")}</label>
          <select id="block" name="value" required defaultValue={refused?.value}>
            {blocks.map(({ key, kind, name }) => (
              <option key={key} value={key}>
                {t(`blocks.kinds.${kind}`)}: {name}
              </option>
            ))}
          </select>
        </p>
      )}
    </ActionForm>
  )
}
