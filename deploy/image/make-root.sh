#!/bin/sh
# make-root.sh <node> <folder of the app> <root>: the files of an image. Who runs in it is the user 65532, whose own are /data and /tmp alone.
set -eu
node=$1 app=$2 root=$3
user=65532

mkdir -p "$root/app" "$root/data" "$root/etc" "$root/tmp" "$root/usr/local/bin"
cp -L "$node" "$root/usr/local/bin/node"
cp -R "$app/." "$root/app"
cp "$(dirname "$0")/health.mjs" "$root/health.mjs"

# What the linker names, at the places where it looks for it.
ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

echo "waybill:x:$user:$user::/data:/sbin/nologin" > "$root/etc/passwd"
echo "waybill:x:$user:" > "$root/etc/group"
chmod -R go-w "$root"
chown -R 0:0 "$root"
chown "$user:$user" "$root/data"
chmod 0700 "$root/data"
chmod 1777 "$root/tmp"
