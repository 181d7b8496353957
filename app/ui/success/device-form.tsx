import { getInputProps } from "@conform-to/react"
import { Form } from "react-router"
import { type RefusedForm, resultFor, typedInto } from "~/domain/forms/refused-form"
import { deviceAddressRule } from "~/domain/forms/service-rules"
import type { Service } from "~/domain/service"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError } from "../form/field-error"
import { type TypedText, useCheckedForm } from "../form/use-checked-form"

type Device = {
  service: Pick<Service, "id" | "deviceAddress">
  lastResult: RefusedForm | null | undefined
}

const check = (typed: TypedText<"deviceAddress">) => ({
  deviceAddress: deviceAddressRule(typed("deviceAddress")),
})

/** Form for the device's MAC address, in any notation. */
export function DeviceForm({ service, lastResult: answer }: Device) {
  const { t } = useTranslation()
  const lastResult = resultFor("device", answer)
  const { fields, formProps } = useCheckedForm({ id: "device", lastResult, check })
  const { deviceAddress: field } = fields
  return (
    <section className="card">
      <h2>{t("device.heading")}</h2>
      {service.deviceAddress && (
        <p>
          {t("device.now")} <code>{service.deviceAddress}</code>
        </p>
      )}
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
    </section>
  )
}
