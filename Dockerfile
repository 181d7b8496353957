# Builds with the C library that the build's own tools are made for; what it makes is JavaScript, which runs on any.
FROM node:26.10.0-slim AS build
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional
# What only people and compilers read comes to half of the packages.
RUN find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \
    -o -name 'asn-country-ipv?.csv' -o -path '*/cjs/*.profiling.js' \) -delete

# The small one: with the other the image would be larger than 250 MB.
FROM node:26.10.0-alpine
WORKDIR /shop
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /shop/package.json ./
COPY --from=build /shop/node_modules node_modules
COPY --from=build /shop/build build
# A named volume takes over the owner of the folder it is mounted on, so the folder is the unprivileged user's. It is the
# only place that is written to: the rest may be read-only.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# 3001 is the sandbox, while no gateway is set.
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD wget -qO /dev/null "http://127.0.0.1:$PORT/checkout/api/health" || exit 1
# Node as the first process: it gets the signals itself and stops as it should.
CMD ["node", "build/server/index.js"]
