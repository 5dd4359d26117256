package ayatori.cli.top;

import ayatori.cli.UserMistake;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jspecify.annotations.Nullable;

/**
 * The whole screen of a terminal, with its keys one by one. {@link #close} gives it back as it was; so does the end of
 * this JVM by a signal.
 */
final class LiveScreen implements AutoCloseable {
    private final Terminal terminal;
    private final Attributes before;
    private final BlockingQueue<Key> keys = new LinkedBlockingQueue<>();
    private final Thread atEnd = new Thread(this::restore, "restore-terminal");
    private boolean restored;

    private LiveScreen(Terminal terminal) {
        this.terminal = terminal;
        this.before = terminal.getAttributes();
    }

    /**
     * Takes the terminal.
     *
     * @throws UserMistake if it cannot place text
     */
    static LiveScreen open() throws IOException {
        Terminal terminal;
        try {
            terminal = TerminalBuilder.builder()
                    .system(true)
                    .provider("ffm")
                    .dumb(false)
                    .build();
        } catch (IllegalStateException e) {
            throw new IOException("the terminal cannot be used: " + e.getMessage(), e);
        }
        if (terminal.getStringCapability(Capability.cursor_address) == null) {
            terminal.close();
            throw new UserMistake("a terminal of type '" + System.getenv("TERM")
                    + "' cannot place text: set TERM, or use --json for one sample");
        }
        LiveScreen screen = new LiveScreen(terminal);
        Runtime.getRuntime().addShutdownHook(screen.atEnd);
        screen.begin();
        return screen;
    }

    private void begin() {
        terminal.enterRawMode();
        // Ctrl-C comes as a key, so that there is one way out.
        Attributes raw = new Attributes(terminal.getAttributes());
        raw.setLocalFlag(Attributes.LocalFlag.ISIG, false);
        // Reading waits for a key, and not a tenth of a second again and again.
        raw.setControlChar(Attributes.ControlChar.VMIN, 1);
        raw.setControlChar(Attributes.ControlChar.VTIME, 0);
        terminal.setAttributes(raw);
        terminal.handle(Terminal.Signal.WINCH, signal -> keys.add(Key.of(Key.Name.RESIZED)));
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.flush();
        Thread.ofPlatform().daemon().name("keys").start(this::readKeys);
    }

    private void readKeys() {
        // Not the terminal's own reader: it polls ten times a second, and closing would wait for it.
        KeyReader reader =
                new KeyReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), terminal.inputEncoding()));
        Key key;
        do {
            try {
                key = reader.next();
            } catch (IOException e) {
                key = Key.of(Key.Name.GONE);
            }
            keys.add(key);
        } while (key.name() != Key.Name.GONE);
    }

    /** Waits for a key; null if none came in time. */
    @Nullable
    Key await(long nanos) throws InterruptedException {
        return keys.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    Size size() {
        Size size = terminal.getSize();
        // Nobody has told a serial line its size.
        return size.getRows() > 0 && size.getColumns() > 0 ? size : Size.of(80, 24);
    }

    Charset charset() {
        return terminal.outputEncoding();
    }

    /** Draws over what is there, so that nothing flickers. */
    void draw(List<TopView.Line> lines) {
        PrintWriter out = terminal.writer();
        terminal.puts(Capability.cursor_home);
        for (int i = 0; i < lines.size(); i++) {
            TopView.Line line = lines.get(i);
            out.print(i == 0 ? "" : "\r\n");
            if (line.style() != TopView.Style.PLAIN) {
                terminal.puts(
                        line.style() == TopView.Style.BOLD
                                ? Capability.enter_bold_mode
                                : Capability.enter_reverse_mode);
            }
            out.print(line.text());
            if (line.style() != TopView.Style.PLAIN) {
                terminal.puts(Capability.exit_attribute_mode);
            }
            terminal.puts(Capability.clr_eol);
        }
        terminal.puts(Capability.clr_eos);
        terminal.flush();
    }

    private synchronized void restore() {
        if (restored) {
            return;
        }
        restored = true;
        terminal.puts(Capability.cursor_normal);
        terminal.puts(Capability.exit_ca_mode);
        terminal.flush();
        terminal.setAttributes(before);
    }

    @Override
    public void close() throws IOException {
        restore();
        Runtime.getRuntime().removeShutdownHook(atEnd);
        terminal.close();
    }
}
