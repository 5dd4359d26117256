package ayatori.bench.load;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Indexing and searching with Lucene in memory: an operation replaces one document and answers four queries. Arguments
 * as those of {@link Transfers}.
 */
public final class Searches {
    private static final int DOCUMENTS = 4_000;
    private static final int WORDS_IN_DOCUMENT = 60;
    private static final int VOCABULARY = 5_000;
    private static final int QUERIES = 4;
    private static final int REFRESH_EVERY = 500;

    private final IndexWriter writer;
    private final SearcherManager searchers;
    private final SplittableRandom random;
    private long operations;

    private Searches(IndexWriter writer, SearcherManager searchers, int seed) {
        this.writer = writer;
        this.searchers = searchers;
        this.random = new SplittableRandom(seed);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
                StandardAnalyzer analyzer = new StandardAnalyzer();
                IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
            Searches filler = new Searches(writer, new SearcherManager(writer, null), 99);
            for (int i = 0; i < DOCUMENTS; i++) {
                filler.replace(i);
            }
            writer.commit();
            SearcherManager searchers = new SearcherManager(writer, null);
            Throughput.measure(
                    thread -> (Callable<?>) new Searches(writer, searchers, thread)::operation,
                    Throughput.priorities(arguments[0]),
                    Long.parseLong(arguments[1]),
                    Long.parseLong(arguments[2]));
        }
    }

    private Object operation() throws IOException {
        replace(random.nextInt(DOCUMENTS));
        if (++operations % REFRESH_EVERY == 0) {
            searchers.maybeRefresh();
        }
        IndexSearcher searcher = searchers.acquire();
        try {
            for (int i = 0; i < QUERIES; i++) {
                BooleanQuery query = new BooleanQuery.Builder()
                        .add(new TermQuery(new Term("text", word())), BooleanClause.Occur.SHOULD)
                        .add(new TermQuery(new Term("text", word())), BooleanClause.Occur.SHOULD)
                        .build();
                searcher.search(query, 10);
            }
        } finally {
            searchers.release(searcher);
        }
        return this;
    }

    private void replace(int id) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS_IN_DOCUMENT; i++) {
            text.append(word()).append(' ');
        }
        String key = Integer.toString(id);
        Document document = new Document();
        document.add(new StringField("id", key, Field.Store.YES));
        document.add(new TextField("text", text.toString(), Field.Store.NO));
        writer.updateDocument(new Term("id", key), document);
    }

    /** Few words often and most seldom, as in a language. */
    private String word() {
        double uniform = random.nextDouble();
        return "w" + (int) (VOCABULARY * uniform * uniform * uniform);
    }
}
