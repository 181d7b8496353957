import { localText } from "~/domain/local-time"
import { MAX_NOTE } from "~/domain/orders/order-notes"
import { consoleText as t } from "~/i18n/console-texts.server"
import { FormKey } from "../form-parts.server"
import type { OrderScreenProps } from "./order-screen-props.server"

/** Internal notes and tags of an order. */
export function OrderNotes(props: OrderScreenProps) {
  const { view, newKey, mayNote, typed, timeZone } = props
  const text = (action: string) => (typed?.action === action ? typed.text : "")
  return (
    <section className="card">
      <h2>{t("order.notes")}</h2>
      <p>{t("order.noteLead")}</p>
      <Tags {...props} />
      {view.notes.map(({ id, text: note, operator, at }) => (
        <div key={id}>
          <p className="ink note">{note}</p>
          <small>
            {operator}, {localText(at, timeZone)}
          </small>
        </div>
      ))}
      {mayNote && (
        <>
          <form method="post">
            <FormKey value={newKey()} />
            <input type="hidden" name="action" value="add-note" />
            <p className="field">
              <label htmlFor="note">{t("order.note")}</label>
              <textarea
                id="note"
                name="text"
                required
                maxLength={MAX_NOTE}
                rows={3}
                defaultValue={text("add-note")}
              />
            </p>
            <button className="button" type="submit">
              {t("order.addNote")}
            </button>
          </form>
          <form method="post">
            <FormKey value={newKey()} />
            <input type="hidden" name="action" value="add-tag" />
            <p className="field">
              <label htmlFor="tag">{t("order.tag")}</label>
              <input id="tag" name="text" required maxLength={30} defaultValue={text("add-tag")} />
            </p>
            <button className="button" type="submit">
              {t("order.addTag")}
            </button>
          </form>
        </>
      )}
    </section>
  )
}

function Tags({ view: { tags }, newKey, mayNote }: OrderScreenProps) {
  if (tags.length === 0) return null
  return (
    <ul className="tags">
      {tags.map((tag) => (
        <li key={tag} className="pill plain">
          {tag}
          {mayNote && (
            <form method="post">
              <FormKey value={newKey()} />
              <input type="hidden" name="action" value="remove-tag" />
              <input type="hidden" name="text" value={tag} />
              <button className="remove" type="submit" aria-label={t("order.removeTag", { tag })}>
                ×
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  )
}
