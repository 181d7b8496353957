import { getInputProps } from "@conform-to/react"
import { Form } from "react-router"
import { deviceAddressRule } from "~/domain/forms/service-rules"
import { type RefusedForm, resultFor, typedInto } from "~/domain/refused-form"
import type { Service } from "~/domain/services/service"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"

type Device = {
  service: Pick<Service, "id" | "deviceAddress">
  /** What the folded form shows. */
  summary: string
  lastResult: RefusedForm | null | undefined
}

const check = (typed: TypedText<"deviceAddress">) => ({
  deviceAddress: deviceAddressRule(typed("deviceAddress")),
})

/** Form for the device's MAC address, in any notation; folded, since few devices need it. */
export function DeviceForm({ service, summary, lastResult: answer }: Device) {
  const { t } = useTranslation()
  const lastResult = resultFor("device", answer)
  const { fields, formProps } = useCheckedForm({ id: "device", lastResult, check })
  const { deviceAddress: field } = fields
  return (
    <>
      {service.deviceAddress && (
        <p>
          {t("device.now")} <code>{service.deviceAddress}</code>
        </p>
      )}
      <details className="fold" open={lastResult != null}>
        <summary>{summary}</summary>
        <Form method="post" preventScrollReset {...formProps}>
          <input type="hidden" name="serviceid" value={service.id} />
          <label className="field" htmlFor={field.id}>
            {t("device.label")}
          </label>
          <input
            {...getInputProps(field, { type: "text", value: false })}
            required
            maxLength={100}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="00:1A:79:12:34:56"
            key={service.deviceAddress}
            defaultValue={typedInto("deviceAddress", lastResult) ?? service.deviceAddress ?? ""}
          />
          <FieldError field={field} />
          <p className="note">{t("device.note")}</p>
          <button name="intent" value="device">
            {t("device.save")}
          </button>
        </Form>
      </details>
    </>
  )
}
