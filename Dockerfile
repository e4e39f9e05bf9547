# The image has Node.js, the libraries that it is linked to, the package waybill and what OpenTelemetry and PostgreSQL need: no shell, no package manager.
#   docker build --build-arg WAYBILL_COMMIT="$(git rev-parse --short=12 HEAD)" -t waybill .
#   docker run --read-only -p 127.0.0.1:8080:8080 -v waybill:/data waybill
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /source
COPY . .
# What the image tells of its sources: their history does not come along.
ARG WAYBILL_COMMIT
# The first of them installs what package-lock.json names.
RUN npm run build console && npm run build waybill
RUN npm pack ./cli/dist --pack-destination /tmp
# With the versions that the tests run with.
RUN npm install --prefix /app --omit=dev --ignore-scripts --no-audit --no-fund /tmp/waybill-*.tgz \
      $(node deploy/image/peers.mjs)
RUN sh deploy/image/make-root.sh /usr/local/bin/node /app /root-of-image

FROM scratch
COPY --from=build /root-of-image /
# Memory that threads give back is had by the others again, instead of each keeping its own.
ENV MALLOC_ARENA_MAX=2
ENV NODE_ENV=production WAYBILL_HOST=0.0.0.0 WAYBILL_PORT=8080 WAYBILL_STORAGE=file:/data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/usr/local/bin/node", "/health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=8", "/app/node_modules/waybill/bin/waybill.js"]
CMD ["serve"]
