# What the papers' run scripts have in common; they source it with `here` set to their folder, after their own words.
root=$here/../..

short=
for argument; do
    shift
    case $argument in
        --short) short=yes ;;
        *) set -- "$@" "$argument" ;;
    esac
done

# Sets results, and goes there.
enter() {
    results=$here/runs/${short:+short/}$(date +%Y-%m-%d)-$(uname -n)-$1
    mkdir -p "$results"
    cd "$results"
}

# picture SIZE PAGE...: a page is one file for one moment; the picture is what stays.
picture() {
    size=$1
    shift
    for page; do
        if [ -f "$page" ] && command -v chromium >/dev/null; then
            profile=$(mktemp -d)
            timeout 60 chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
                --window-size="$size" --screenshot="${page%.html}.png" "file://$results/$page" 2>/dev/null || true
            rm -rf "$profile"
        fi
        rm -f "$page"
    done
}

# measure FOLDER SIZE MEASUREMENT [OPTION]...: by bench/run, which tells of the host itself; what came out is kept in
# runs/DATE-HOST-FOLDER, its pages as pictures, but of a smoke test as pages.
measure() {
    enter "$1"
    window=$2
    shift 2
    code=0
    "$root/bench/run" "$@" ${short:+--short} --out "$results" >output.txt 2>&1 || code=$?
    cat output.txt
    [ -n "$short" ] || picture "$window" *.html
    echo "kept in ${results#"$here"/}"
    return $code
}
