import { eventDescriptions } from "~/domain/webhooks/event-types"
import { typesByObject } from "~/domain/webhooks/subscription"
import { consoleText as t } from "~/i18n/console-texts.server"

/** What was typed in a form that was refused. `types`: separated by commas. */
export type TypedEndpoint = {
  readonly url: string
  readonly types: string
  readonly description: string
  readonly reason: string
}

type WebhookFieldsProps = {
  /** A name for the fields' ids. */
  form: string
  value: Pick<TypedEndpoint, "url" | "types" | "description">
}

/** URL, types of events and description of an endpoint. */
export function WebhookFields({ form, value: { url, types, description } }: WebhookFieldsProps) {
  return (
    <>
      <p className="field">
        <label htmlFor={`${form}-url`}>{t("webhooks.url")}</label>
        <input
          id={`${form}-url`}
          name="url"
          type="url"
          inputMode="url"
          required
          maxLength={2000}
          defaultValue={url}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={`${form}-url-hint`}
        />
        <small id={`${form}-url-hint`}>{t("webhooks.urlHint")}</small>
      </p>
      <p className="field">
        <label htmlFor={`${form}-description`}>{t("webhooks.description")}</label>
        <input
          id={`${form}-description`}
          name="description"
          maxLength={200}
          defaultValue={description}
          autoComplete="off"
        />
      </p>
      <TypeBoxes form={form} ticked={types.split(",")} />
    </>
  )
}

/** "All" comes first; the types of an object are folded unless one of them is ticked. */
function TypeBoxes({ form, ticked }: { form: string; ticked: readonly string[] }) {
  const isTicked = (value: string) => ticked.includes(value)
  return (
    <fieldset className="types">
      <legend>{t("webhooks.types")}</legend>
      <TypeBox form={form} value="*" text={t("webhooks.allTypes")} isTicked={isTicked("*")} />
      {[...typesByObject].map(([object, types]) => {
        const all = `${object}.*`
        return (
          <details key={object} open={[all, ...types].some(isTicked)}>
            <summary>{all}</summary>
            <TypeBox
              form={form}
              value={all}
              text={t("webhooks.allOf", { object })}
              isTicked={isTicked(all)}
            />
            {types.map((type) => (
              <TypeBox
                key={type}
                form={form}
                value={type}
                text={eventDescriptions[type]}
                name={type}
                isTicked={isTicked(type)}
              />
            ))}
          </details>
        )
      })}
    </fieldset>
  )
}

type TypeBoxProps = { form: string; value: string; text: string; name?: string; isTicked: boolean }

function TypeBox({ form, value, text, name, isTicked }: TypeBoxProps) {
  const id = `${form}-${value}`
  return (
    <label className="check" htmlFor={id}>
      <input id={id} type="checkbox" name="types" value={value} defaultChecked={isTicked} />
      <span>
        {name !== undefined && <strong>{name} </strong>}
        {text}
      </span>
    </label>
  )
}
