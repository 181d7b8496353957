import { phpSerialize } from "~/http/php-serialize"
import type { MapText } from "./order-request"

export const jsonMap: MapText = (map) => JSON.stringify(Object.fromEntries(map))

export const phpMap: MapText = (map) => Buffer.from(phpSerialize(map)).toString("base64")
